-- Counts requests in the order of KEYS, with the clock of Redis. An everyday request is counted here: its account has
-- counts in the windows that the instance expects, neither window is full, and its key has no penalty. This part
-- creates no function and calls as few as possible, because Redis runs it for nearly every request. decide.lua decides
-- all other requests: counts.ts puts it, with windows.lua, into the function `load_decide` in front of this file.
--
-- KEYS: for each request, the name of its counts in Redis.
-- ARGV: for each request, the penalty field of its key, and last the bytes of a Float64Array with seven numbers for each
--   request, which `take` in counts.ts writes. `fixed_ms` replaces the clock of Redis, unless it is 0. The starts are
--   those of the windows that the instance expects. `sent_at_ms` is a time on the clock of Redis. The penalty field of
--   an address has no key.
-- Returns for each request up to eight numbers, which `toReport` and `toDecision` in counts.ts read:
--   1 the time in milliseconds, 2 the requests used in the minute, 3 those used in the day, 4 when the counts were
--   created, in microseconds; except for an everyday request also 5 the start of the minute, 6 the start of the day;
--   and for a refusal also 7 the end of the ban, or 0 if a window refused, 8 the number 1 if this request began the ban.

local NUMBERS, BYTES = '<ddddddd', 56
local MINUTE_MS, DAY_MS = 60000, 86400000

local time = redis.call('TIME')
local redis_us = time[1] * 1000000 + time[2]

local unpack_numbers, numbers = struct.unpack, ARGV[#ARGV]
local decide
local reports = {}
for index = 1, #KEYS do
  local name = KEYS[index]
  local fixed_ms, minute_start, day_start, per_minute, per_day, sent_at_ms, unbanned_at_ms =
    unpack_numbers(NUMBERS, numbers, (index - 1) * BYTES + 1)
  local now_ms = fixed_ms == 0 and (redis_us - redis_us % 1000) / 1000 or fixed_ms
  local minute_ms, day_ms = now_ms - minute_start * 1000, now_ms - day_start * 1000
  local saved = redis.pcall('HMGET', name, 'minute_start', 'minute_used', 'day_start', 'day_used', 'created_at',
    ARGV[index])
  local minute_used, day_used = tonumber(saved[2]), tonumber(saved[4])
  -- If the clock has stepped back, the day may begin later than now, by less than a minute. It stays the current day.
  if tonumber(saved[1]) == minute_start and minute_ms >= 0 and minute_ms < MINUTE_MS
    and tonumber(saved[3]) == day_start and day_ms < DAY_MS
    and minute_used and minute_used >= 0 and minute_used % 1 == 0 and minute_used < per_minute
    and day_used and day_used >= 0 and day_used % 1 == 0 and day_used < per_day
    and not saved[6] then
    minute_used, day_used = minute_used + 1, day_used + 1
    redis.call('HSET', name, 'minute_used', minute_used, 'day_used', day_used)
    -- The time of creation stays text, because making a number of it takes time.
    reports[index] = { now_ms, minute_used, day_used, saved[5] }
  else
    decide = decide or load_decide()
    reports[index] = decide(name, saved, redis_us, now_ms, minute_start, per_minute, per_day, ARGV[index],
      sent_at_ms, unbanned_at_ms)
  end
end
return reports
