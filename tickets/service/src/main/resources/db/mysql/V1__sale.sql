-- What is for sale. Every grant locks its event's row, so the order of grants is the order of locks. All times are in UTC.
create table event (
    id        bigint        not null auto_increment primary key,
    name      text          not null,
    capacity  int           not null check (capacity >= 0),
    -- The last word against overselling: no transaction that would take one seat too many can commit.
    remaining int           not null,
    -- In seconds.
    hold      decimal(12,3) not null,
    opened_at datetime(6)   not null default current_timestamp(6),
    constraint no_oversell check (remaining between 0 and capacity)
) engine = InnoDB default charset = utf8mb4;

create table reservation (
    id         char(36) character set ascii collate ascii_bin not null primary key,
    event      bigint       not null,
    -- The last word against selling twice: one reservation for a key, whatever service it was asked of. Keys are visible ASCII, and two
    -- that differ in the case of a letter are two.
    idempotency_key varchar(100) character set ascii collate ascii_bin not null,
    seats      int          not null check (seats > 0),
    state      varchar(10) character set ascii collate ascii_bin not null
        check (state in ('HELD', 'CONFIRMED', 'RELEASED', 'EXPIRED')),
    caller     text,
    expires_at datetime(6)  not null,
    made_at    datetime(6)  not null default current_timestamp(6),
    ended_at   datetime(6),
    unique key one_for_a_key (idempotency_key),
    -- Finds the holds that are over.
    key reservation_held (event, state, expires_at),
    constraint reservation_of foreign key (event) references event (id)
) engine = InnoDB default charset = utf8mb4;
