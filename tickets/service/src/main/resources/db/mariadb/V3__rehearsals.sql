-- A service rehearses with an event of its own, which nobody else sees. REHEARSAL: it may have reservations. OVER: they are gone.
alter table event add column kind varchar(10) character set ascii collate ascii_bin not null default 'SALE'
    check (kind in ('SALE', 'REHEARSAL', 'OVER'));
