-- Decides requests, and settles what an instance knows and what it admitted while Redis was away. It uses the
-- clock of Redis, and changes both windows and the penalty of a key in one step. The rules are those of
-- domain/rate-limit.ts and domain/ban.ts, written again because they must run where the counts are; one test
-- suite checks both.
--
-- KEYS: for each request, the name of its counts in Redis.
-- ARGV: the requests in JSON, in the same order, as counts.ts writes them. `mode` is one of:
--   `take`, with the limits and, unless the caller is an address, `keyId` and `unbannedAtMs`. `sentAtMs` is a
--   time on the clock of Redis.
--   `settle`, with `known` and `admitted`, the counts of a `Settlement`.
--   `announce`, with nothing else.
-- `fixedMs` replaces the clock of Redis. `minuteOffset` is the second at which the minutes of the caller start.
-- RULES: the numbers of domain/ban.ts. counts.ts writes them in front of this script.
-- Returns for each request up to nine numbers, which `decode` in counts.ts reads:
--   1 the time in milliseconds, 2 the start of the minute, 3 the requests used in it, 4 the start of the day,
--   5 the requests used in it, 6 when the counts were created, in microseconds; and for a refusal also
--   7 what refused (1 the minute, 2 the day, 3 a ban), 8 the end of the ban, 9 the number 1 if this request
--   began the ban.

local MINUTE, DAY = 60, 86400
local MAX_STEP = MINUTE
local LATE_MS = 500
local SETTLING_SECONDS = 2

local time = redis.call('TIME')
local redis_us = time[1] * 1000000 + time[2]

-- Deletes a value of another type, which must not prevent the service from using Redis.
local function read(name, ...)
  local values = redis.pcall('HMGET', name, ...)
  if not values.err then return values end
  if string.find(values.err, 'WRONGTYPE', 1, true) then redis.call('DEL', name) end
  return redis.call('HMGET', name, ...)
end

-- Returns nil for anything that is not a count. A damaged value affects only its own account, and that
-- account keeps its limits.
local function count(value)
  local number = tonumber(value)
  local is_count = number and number >= 0 and number < 2 ^ 53 and number % 1 == 0
  return is_count and number or nil
end

-- Identifies the run of Redis, which changes with a restart or a failover. False without the right to INFO.
local run
local run_began_us = 0
local function run_of_redis()
  if run == nil then
    local info = redis.pcall('INFO', 'server')
    info = type(info) == 'string' and info or ''
    run = string.match(info, 'run_id:(%x%x%x%x%x%x%x%x)') or false
    local seconds = count(string.match(info, 'uptime_in_seconds:(%d+)')) or 0
    run_began_us = redis_us - (seconds + 1) * 1000000
  end
  return run
end

-- An instance may know or have admitted requests in a newer window than the saved one.
local function window_start(now, saved, request, field, length, shift)
  local newest = count(saved) or 0
  if request.mode == 'settle' then
    newest = math.max(newest, request.known.counts[field], request.admitted[field])
  end
  if newest > now and newest - now <= MAX_STEP then return newest end
  return math.floor((now - shift) / length) * length + shift
end

local function used_in(window, start, used)
  return tonumber(start) == window and count(used) or 0
end

-- Keeps the counts until no later request can need them.
local function keep(name, counts, now)
  redis.call('EXPIRE', name, counts.day + DAY + RULES.longestBanSeconds + RULES.cleanSeconds - now)
end

local function save(name, counts, now)
  if not counts.is_new then
    redis.call('HSET', name, 'minute_used', counts.minute_used, 'day_used', counts.day_used)
    return
  end
  redis.call('HSET', name, 'minute_start', counts.minute, 'minute_used', counts.minute_used,
    'day_start', counts.day, 'day_used', counts.day_used, 'created_at', counts.created_at)
  counts.is_new = false
  keep(name, counts, now)
end

-- Raises the counts to those that the instance knows, if Redis has lost some of them.
local function restore(name, counts, known)
  local saved = redis.call('HMGET', name, 'run', 'restored_minute', 'minute_restored', 'restored_day', 'day_restored')
  local minute_restored = used_in(counts.minute, saved[2], saved[3])
  local day_restored = used_in(counts.day, saved[4], saved[5])
  if run_of_redis() and saved[1] ~= run then
    -- Instances of version 1.0.0 create counts without a run.
    local is_of_run = not saved[1] and counts.created_at > run_began_us
    if not is_of_run then
      -- Redis may have started from older data. The counts that it still has are treated as restored.
      counts.created_at, counts.is_new = redis_us, true
      minute_restored, day_restored = counts.minute_used, counts.day_used
    end
    redis.call('HSET', name, 'run', run)
  end
  local function raise(used, known_used, restored)
    -- These are the counts that the instance knows, but a replica that took over may lack the last writes.
    if known.createdAt == counts.created_at then return math.max(used, known_used), restored end
    if known_used <= restored then return used, restored end
    -- Redis lost data, and has counted requests since. Of all known counts only the largest may be added
    -- to them, so each instance adds what its count exceeds the restored one by.
    return used + known_used - restored, known_used
  end
  counts.minute_used, minute_restored = raise(counts.minute_used,
    used_in(counts.minute, known.counts.minuteStartSeconds, known.counts.minuteUsed), minute_restored)
  counts.day_used, day_restored = raise(counts.day_used,
    used_in(counts.day, known.counts.dayStartSeconds, known.counts.dayUsed), day_restored)
  if minute_restored + day_restored > 0 then
    redis.call('HSET', name, 'restored_minute', counts.minute, 'minute_restored', minute_restored,
      'restored_day', counts.day, 'day_restored', day_restored)
  end
end

-- The fields of a Penalty in domain/ban.ts.
local function read_penalty(text, unbanned_at_ms)
  local penalty = {
    refusedUntilSeconds = 0, firstRefusedAtSeconds = 0, refusals = 0, strikes = {},
    bannedUntilSeconds = 0, bans = 0, unbannedAtMs = unbanned_at_ms,
  }
  if not text then return penalty end
  local _, last = pcall(cjson.decode, text)
  if type(last) ~= 'table' or last.unbannedAtMs ~= unbanned_at_ms then return penalty end
  for name, none in pairs(penalty) do
    if type(none) == 'number' then penalty[name] = count(last[name]) or none end
  end
  for _, at in ipairs(type(last.strikes) == 'table' and last.strikes or {}) do
    table.insert(penalty.strikes, count(at))
  end
  return penalty
end

-- Adds a refusal to a penalty. Returns true if a ban began.
local function punish(penalty, reset, now)
  if penalty.refusedUntilSeconds ~= reset then
    penalty.refusedUntilSeconds, penalty.firstRefusedAtSeconds, penalty.refusals = reset, now, 1
    return false
  end
  penalty.refusals = penalty.refusals + 1
  local is_learning = now - penalty.firstRefusedAtSeconds <= RULES.learningSeconds
  if is_learning or penalty.refusals <= RULES.mostInFlight then return false end
  local strikes = {}
  for _, at in ipairs(penalty.strikes) do
    if now - at < RULES.strikeMemorySeconds then table.insert(strikes, at) end
  end
  table.insert(strikes, now)
  penalty.strikes = strikes
  if #strikes < RULES.strikesToBan then return false end
  penalty.strikes = {}
  local is_clean = now >= penalty.bannedUntilSeconds + RULES.cleanSeconds
  penalty.bans = is_clean and 1 or penalty.bans + 1
  local seconds = RULES.firstBanSeconds * 2 ^ (penalty.bans - 1)
  penalty.bannedUntilSeconds = now + math.min(seconds, RULES.longestBanSeconds)
  return true
end

local function decide(name, request)
  if request.mode == 'announce' then
    redis.call('DEL', name)
    redis.call('HSET', name, 'settling', 1)
    redis.call('EXPIRE', name, SETTLING_SECONDS)
    return {}
  end

  local now_ms = request.fixedMs or math.floor(redis_us / 1000)
  local now = math.floor(now_ms / 1000)
  local penalty_field = 'penalty:' .. (request.keyId or '')
  local saved = read(name, 'minute_start', 'minute_used', 'day_start', 'day_used', 'created_at', penalty_field)
  local minute = window_start(now, saved[1], request, 'minuteStartSeconds', MINUTE, request.minuteOffset)
  local day = window_start(now, saved[3], request, 'dayStartSeconds', DAY, 0)
  local counts = {
    minute = minute, minute_used = used_in(minute, saved[1], saved[2]),
    day = day, day_used = used_in(day, saved[3], saved[4]),
    created_at = count(saved[5]) or redis_us,
    is_new = tonumber(saved[1]) ~= minute or tonumber(saved[3]) ~= day,
  }
  local function report(refused_by, banned_until, ban_began)
    return { now_ms, minute, counts.minute_used, day, counts.day_used, counts.created_at, refused_by,
      banned_until, ban_began }
  end

  if request.mode == 'settle' then
    restore(name, counts, request.known)
    local admitted = request.admitted
    counts.minute_used = counts.minute_used + used_in(minute, admitted.minuteStartSeconds, admitted.minuteUsed)
    counts.day_used = counts.day_used + used_in(day, admitted.dayStartSeconds, admitted.dayUsed)
    save(name, counts, now)
    return report()
  end

  -- A window that was dropped because the clock stepped must not return when the clock steps back.
  if saved[1] and counts.is_new then save(name, counts, now) end

  local penalty = saved[6] and read_penalty(saved[6], request.unbannedAtMs)
  if penalty and penalty.bannedUntilSeconds * 1000 > now_ms then
    return report(3, penalty.bannedUntilSeconds)
  end

  local is_minute_full = counts.minute_used >= request.perMinute
  local is_day_full = counts.day_used >= request.perDay
  if not is_minute_full and not is_day_full then
    counts.minute_used = counts.minute_used + 1
    counts.day_used = counts.day_used + 1
    save(name, counts, now)
    return report()
  end

  local minute_reset, day_reset = minute + MINUTE, day + DAY
  local is_by_day = is_day_full and (not is_minute_full or day_reset >= minute_reset)
  local refused_by = is_by_day and 2 or 1

  -- An instance may have decided this late request on its own, and the client may already be waiting as it
  -- was told. The refusal must not count against the key a second time.
  if not request.keyId or now_ms - request.sentAtMs > LATE_MS then return report(refused_by) end

  penalty = penalty or read_penalty(nil, request.unbannedAtMs)
  local ban_began = punish(penalty, is_by_day and day_reset or minute_reset, now)
  redis.call('HSET', name, penalty_field, cjson.encode(penalty))
  keep(name, counts, now)
  if ban_began then return report(3, penalty.bannedUntilSeconds, 1) end
  return report(refused_by)
end

local reports = {}
for index, request in ipairs(cjson.decode(ARGV[1])) do
  reports[index] = decide(KEYS[index], request)
end
return reports
