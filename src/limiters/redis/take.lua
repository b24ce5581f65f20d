-- Counts requests in the order of KEYS, with the clock of Redis. An everyday request is counted here: its account has
-- counts in the windows that the instance expects, neither window is full, and its key has no penalty. This part
-- creates no function and calls as few as possible, because Redis runs it for nearly every request. decide.lua decides
-- all other requests.
--
-- KEYS: for each request, the name of its counts in Redis.
-- ARGV: for each request eight words, which `decide` in counts.ts writes. `fixed_ms` replaces the clock of Redis, unless
--   it is empty. The starts are those of the windows that the instance expects. The penalty field of an address has no
--   key. After the six words that are named below follow the time at which the request was sent, in milliseconds on the
--   clock of Redis, and the time at which the key was last unbanned.
-- Returns for each request up to eight numbers, which `toReport` and `toDecision` in counts.ts read:
--   1 the time in milliseconds, 2 the requests used in the minute, 3 those used in the day, 4 when the counts were
--   created, in microseconds; except for an everyday request also 5 the start of the minute, 6 the start of the day;
--   and for a refusal also 7 the end of the ban, or 0 if a window refused, 8 the number 1 if this request began the ban.

local WORDS = 8
local MINUTE_MS, DAY_MS = 60000, 86400000

local time = redis.call('TIME')
local redis_us = time[1] * 1000000 + time[2]

local decide
local reports = {}
for index = 1, #KEYS do
  local name, last = KEYS[index], index * WORDS
  local fixed_ms, minute_start, day_start, per_minute, per_day, penalty_field = unpack(ARGV, last - 7, last - 2)
  local now_ms = fixed_ms == '' and (redis_us - redis_us % 1000) / 1000 or fixed_ms + 0
  local minute_ms, day_ms = now_ms - minute_start * 1000, now_ms - day_start * 1000
  local saved = redis.pcall('HMGET', name, 'minute_start', 'minute_used', 'day_start', 'day_used', 'created_at',
    penalty_field)
  local minute_used, day_used = tonumber(saved[2]), tonumber(saved[4])
  -- If the clock has stepped back, the day may begin later than now, by less than a minute. It stays the current day.
  if saved[1] == minute_start and minute_ms >= 0 and minute_ms < MINUTE_MS
    and saved[3] == day_start and day_ms < DAY_MS
    and minute_used and minute_used >= 0 and minute_used % 1 == 0 and minute_used < per_minute + 0
    and day_used and day_used >= 0 and day_used % 1 == 0 and day_used < per_day + 0
    and not saved[6] then
    minute_used, day_used = minute_used + 1, day_used + 1
    redis.call('HSET', name, 'minute_used', minute_used, 'day_used', day_used)
    -- The time of creation stays text, because making a number of it takes time.
    reports[index] = { now_ms, minute_used, day_used, saved[5] }
  else
    decide = decide or load_decide()
    reports[index] = decide(name, saved, redis_us, now_ms, unpack(ARGV, last - 6, last))
  end
end
return reports
