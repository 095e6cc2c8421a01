-- Seats of an event that are rows of their own, for the strategy that locks seats instead of their event. Such an event has
-- remaining = 0 and a row here for each seat; every other event has its number there and no row here. So no strategy can sell what
-- belongs to another.
create table seat (
    event       bigint not null,
    number      int    not null,
    -- Who has it. A seat has one holder or none, whatever goes wrong.
    reservation char(36) character set ascii collate ascii_bin,
    primary key (event, number),
    key seat_free (event, reservation, number),
    key seat_taken (reservation),
    constraint seat_of foreign key (event) references event (id)
) engine = InnoDB default charset = utf8mb4;
