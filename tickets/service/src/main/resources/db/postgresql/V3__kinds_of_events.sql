-- A service rehearses with an event of its own, which nobody else sees. REHEARSAL: it may have reservations. OVER: they are gone.
alter table event add column kind text not null default 'SALE' check (kind in ('SALE', 'REHEARSAL', 'OVER'));

-- How its seats are kept, which is the business of whoever opened it: no other way of selling may grant them.
alter table event add column seats text not null default 'A_NUMBER' check (seats in ('A_NUMBER', 'ROWS', 'NOT_KEPT'));
update event e set seats = 'ROWS' where exists (select 1 from seat s where s.event = e.id);

-- Counts what was confirmed, and finds what a rehearsal has left.
create index reservation_ended on reservation (event, state) include (seats) where state <> 'HELD';

-- As before, and the callers of known keys are told, since a key is for one caller alone. Holds that are over are given back only as far as
-- somebody wants their seats: after a great rush there may be hundreds of thousands of them, too many for one transaction.
drop function grant_seats;

-- Grants wishes for one event in their order, all in one transaction: see the rule in the core. Keys must differ from each other.
-- Gives back one row, with one value for each wish in each array; no row without that event, or where its seats are kept otherwise.
--   answers: 0 the key was known, 1 granted, 2 too few seats
--   left_then: seats that were left when it was that wish's turn
--   known_…: the reservation of a key that was known
create function grant_seats(p_event bigint, p_keys text[], p_seats integer[], p_callers text[], p_ids uuid[])
    returns table (
        answers integer[], left_then integer[], expires timestamptz, known_ids uuid[], known_events bigint[],
        known_seats integer[], known_states text[], known_expires timestamptz[], known_callers text[]
    )
    language plpgsql as $$
declare
    v_left integer;
    v_wanted bigint := (select sum(s) from unnest(p_seats) s);
    v_before integer;
    v_hold interval;
    v_now timestamptz;
begin
    select e.remaining, e.hold into v_left, v_hold from event e where e.id = p_event and e.seats = 'A_NUMBER' for update;
    if not found then
        return;
    end if;
    v_before := v_left;
    -- Not the time at which the transaction began: it may have waited for the lock.
    v_now := clock_timestamp();
    expires := v_now + v_hold;

    -- Each of them frees a seat or more, so these are enough for all wishes; and where there are fewer, all of them are given back, and a
    -- refusal is true.
    with enough as (
        select r.id from reservation r
        where r.event = p_event and r.state = 'HELD' and r.expires_at <= v_now
        order by r.expires_at, r.id limit greatest(v_wanted - v_left, 0) for update
    ), over as (
        update reservation r set state = 'EXPIRED', ended_at = r.expires_at from enough where r.id = enough.id returning r.seats
    )
    select v_left + (select coalesce(sum(over.seats), 0) from over) into v_left;

    select array_agg(r.id order by a.n), array_agg(r.event order by a.n), array_agg(r.seats order by a.n),
           array_agg(r.state order by a.n), array_agg(r.expires_at order by a.n), array_agg(r.caller order by a.n)
    into known_ids, known_events, known_seats, known_states, known_expires, known_callers
    from unnest(p_keys) with ordinality as a(key, n) left join reservation r on r.idempotency_key = a.key;

    for i in 1 .. cardinality(p_keys) loop
        left_then[i] := v_left;
        if known_ids[i] is not null then
            answers[i] := 0;
        elsif p_seats[i] <= v_left then
            answers[i] := 1;
            v_left := v_left - p_seats[i];
        else
            answers[i] := 2;
        end if;
    end loop;

    insert into reservation (id, event, idempotency_key, seats, state, caller, expires_at)
    select a.id, p_event, a.key, a.seats, 'HELD', a.caller, expires
    from unnest(p_ids, p_keys, p_seats, p_callers, answers) as a(id, key, seats, caller, answer)
    where a.answer = 1;

    if v_left <> v_before then
        update event set remaining = v_left where id = p_event;
    end if;
    return next;
end
$$;
