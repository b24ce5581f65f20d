-- Functions for decide.lua and settle.lua. counts.ts writes this file in front of both, and in front of it RULES, the
-- numbers of domain/ban.ts.

local MINUTE, DAY = 60, 86400
local MAX_STEP = MINUTE

-- Returns the values of fields. Deletes a value of another type, which must not prevent the service from using Redis.
local function checked(name, values)
  if not values.err then return values end
  if string.find(values.err, 'WRONGTYPE', 1, true) then redis.call('DEL', name) end
  return redis.call('HMGET', name, 'created_at')
end

-- Returns nil for anything that is not a count. A damaged value affects only its own account, and that
-- account keeps its limits.
local function count(value)
  local number = tonumber(value)
  if number and number >= 0 and number < 2 ^ 53 and number % 1 == 0 then return number end
  return nil
end

-- Returns what identifies the run of Redis, which changes with a restart or a failover, and its seconds. Both are nil
-- without the right to INFO.
local function run_of_redis()
  return string.match(tostring(redis.pcall('INFO', 'server')),
    'run_id:(%x%x%x%x%x%x%x%x).*uptime_in_seconds:(%d+)')
end

-- `newest` is the start of the newest window that is known.
local function window_start(now, newest, length, shift)
  if newest > now and newest - now <= MAX_STEP then return newest end
  return now - (now - shift) % length
end

local function used_in(window, start, used)
  return tonumber(start) == window and count(used) or 0
end

-- Keeps the counts until no later request can need them.
local function keep(name, day, now)
  redis.call('EXPIRE', name, day + DAY + RULES.longestBanSeconds + RULES.cleanSeconds - now)
end
