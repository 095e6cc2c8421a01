-- A service rehearses with an event of its own, which nobody else sees. REHEARSAL: it may have reservations. OVER: they are gone.
alter table event add column kind varchar(10) character set ascii collate ascii_bin not null default 'SALE'
    check (kind in ('SALE', 'REHEARSAL', 'OVER'));

-- How its seats are kept, which is the business of whoever opened it: no other way of selling may grant them.
alter table event add column seats varchar(10) character set ascii collate ascii_bin not null default 'A_NUMBER'
    check (seats in ('A_NUMBER', 'ROWS', 'NOT_KEPT'));
update event set seats = 'ROWS' where exists (select 1 from seat s where s.event = event.id);
