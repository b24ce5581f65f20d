-- Settles what an instance knows of an account or address, and what it admitted while Redis was away.
--
-- KEYS: the name of the counts in Redis, or the name under which instances announce that they have settlements left.
-- ARGV: a `Settlement` in JSON, as counts.ts writes it, or `announce`. `fixedMs` replaces the clock of Redis, and
--   `minuteOffset` is the second at which the minutes of the account start.
-- Returns the first six numbers that take.lua describes.

local SETTLING_SECONDS = 2

local name, text = KEYS[1], ARGV[1]
if text == 'announce' then
  redis.call('DEL', name)
  redis.call('HSET', name, 'settling', 1)
  redis.call('EXPIRE', name, SETTLING_SECONDS)
  return {}
end

local settlement = cjson.decode(text)
local known, admitted = settlement.known, settlement.admitted
local time = redis.call('TIME')
local redis_us = time[1] * 1000000 + time[2]
local now_ms = settlement.fixedMs or math.floor(redis_us / 1000)
local now = math.floor(now_ms / 1000)

local run, uptime = run_of_redis()
local saved = checked(name, redis.pcall('HMGET', name, 'created_at', 'run',
  'minute_start', 'minute_used', 'restored_minute', 'minute_restored',
  'day_start', 'day_used', 'restored_day', 'day_restored'))
local created_at = count(saved[1]) or redis_us
-- Instances of version 1.0.0 create counts without a run.
local is_of_run = not run or saved[2] == run
  or not saved[2] and created_at > redis_us - (uptime + 1) * 1000000
if not is_of_run then created_at = redis_us end

-- Adds to a window what Redis lacks. Returns the start of the window, and the requests used in it.
local function settle(window, length, shift, saved_start, saved_used, restored_start, restored_used)
  local start_field, used_field = window .. 'StartSeconds', window .. 'Used'
  local known_start, admitted_start = known.counts[start_field], admitted[start_field]
  -- An instance may know or have admitted requests in a newer window than the saved one.
  local newest = math.max(count(saved_start) or 0, known_start, admitted_start)
  local start = window_start(now, newest, length, shift)
  local used = used_in(start, saved_start, saved_used)
  -- Redis may have started from older data. The counts that it still has are treated as restored.
  local restored = is_of_run and used_in(start, restored_start, restored_used) or used
  local known_used = used_in(start, known_start, known.counts[used_field])
  if known.createdAt == created_at then
    -- These are the counts that the instance knows, but a replica that took over may lack the last writes.
    used = math.max(used, known_used)
  elseif known_used > restored then
    -- Redis lost data, and has counted requests since. Of all known counts only the largest may be added
    -- to them, so each instance adds what its count exceeds the restored one by.
    used, restored = used + known_used - restored, known_used
  end
  used = used + used_in(start, admitted_start, admitted[used_field])
  redis.call('HSET', name, window .. '_start', start, window .. '_used', used)
  if restored > 0 then redis.call('HSET', name, 'restored_' .. window, start, window .. '_restored', restored) end
  return start, used
end

local minute, minute_used = settle('minute', MINUTE, settlement.minuteOffset, unpack(saved, 3, 6))
local day, day_used = settle('day', DAY, 0, unpack(saved, 7, 10))
redis.call('HSET', name, 'created_at', created_at, 'run', run or '')
keep(name, day, now)
return { now_ms, minute_used, day_used, created_at, minute, day }
