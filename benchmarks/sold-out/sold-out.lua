-- Each request has a key of its own, as those of people have. EVENT is the number of the event.
local event = os.getenv("EVENT")
local text = "0123456789abcdefghijklmnopqrstuvwxyz"
local head = "POST /events/" .. event .. "/reservations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" ..
    "Content-Length: 15\r\nIdempotency-Key: "
local tail = "\r\n\r\n{\"quantity\": 1}"
local number = 0
local run

function init(args)
    math.randomseed(os.time())
    run = string.format("%012d", math.random(0, 999999999))
end

function request()
    number = number + 1
    return head .. run .. string.format("%012d", number) .. tail
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format("RESULT %d %d %d %d %.3f\n", summary.requests, summary.duration, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(99) / 1000))
end
