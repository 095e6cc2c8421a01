-- Seats of an event that are rows of their own, for the strategy that locks seats instead of their event. Such an event has
-- remaining = 0 and a row here for each seat; every other event has its number there and no row here. So no strategy can sell what
-- belongs to another.
create table seat (
    event       bigint  not null references event,
    number      integer not null,
    -- Who has it. A seat has one holder or none, whatever goes wrong.
    reservation uuid,
    primary key (event, number)
    -- Room on each page, so that a seat that is taken stays on its page.
) with (fillfactor = 50);

create index seat_free on seat (event, number) where reservation is null;
create index seat_taken on seat (reservation) where reservation is not null;
