-- Decides one request, or settles what an instance admitted while Redis was away. It runs on Redis's
-- clock, for both windows and bans at once. The arithmetic is that of domain/rate-limit.ts and
-- domain/ban.ts; one test suite checks both.
--
-- KEYS: the usage of the account or address, and the penalty of the API key if there is one.
-- ARGV: mode (take, peek or settle), offset of the minute in seconds, the time in ms or '' for
--       Redis's clock; then for
--         take:   limit per minute, limit per day, unbannedAtMs of the key or '' without one, the time
--                 in ms at which the instance sent the request;
--         settle: requests admitted in the windows of the known counts, which do not contain them;
--                 then '' twice;
--       then, if Redis may have lost its data, the counts that the instance knows: start of the minute,
--       used in it, start of the day, used in it, when Redis created them.
-- RULES: the numbers of domain/ban.ts, put in front by the program.
-- Returns: the time in ms, start of the minute, used in it, start of the day, used in it, when the
--          counts were created; then for a refusal: by what (1 minute, 2 day, 3 ban), end of the ban,
--          1 if the ban began.

local MINUTE, DAY = 60, 86400
local MAX_STEP = MINUTE
local LATE_MS = 500

local mode = ARGV[1]
local offset = tonumber(ARGV[2])

local time = redis.call('TIME')
local now_ms = tonumber(ARGV[3]) or tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local now = math.floor(now_ms / 1000)

-- A value of another type is deleted: it must not keep the service from using Redis.
local function read(name, ...)
  local values = redis.pcall('HMGET', name, ...)
  if not values.err then return values end
  if string.find(values.err, 'WRONGTYPE', 1, true) then redis.call('DEL', name) end
  return redis.call('HMGET', name, ...)
end

local saved = read(KEYS[1], 'minute_start', 'minute_used', 'day_start', 'day_used', 'created_at')
local created_at = tonumber(saved[5]) or tonumber(time[1]) * 1000000 + tonumber(time[2])

-- Usage in the windows that hold this moment. A known window may be newer than the saved one.
local function window_start(previous, known, length, shift)
  local newest = math.max(tonumber(previous) or 0, tonumber(known) or 0)
  if newest > now and newest - now <= MAX_STEP then return newest end
  return math.floor((now - shift) / length) * length + shift
end
local starts = {
  window_start(saved[1], ARGV[8], MINUTE, offset),
  window_start(saved[3], ARGV[10], DAY, 0),
}

local function still_used(window, start, count)
  return tonumber(start) == starts[window] and tonumber(count) or 0
end
local used = { still_used(1, saved[1], saved[2]), still_used(2, saved[3], saved[4]) }
local resets = { starts[1] + MINUTE, starts[2] + DAY }

local function save_usage()
  redis.call('HSET', KEYS[1], 'minute_start', starts[1], 'minute_used', used[1],
    'day_start', starts[2], 'day_used', used[2])
  if not saved[5] then redis.call('HSET', KEYS[1], 'created_at', created_at) end
  redis.call('EXPIRE', KEYS[1], resets[2] - now + DAY)
end

local function report(refused_by, banned_until, ban_began)
  return { now_ms, starts[1], used[1], starts[2], used[2], created_at, refused_by, banned_until,
    ban_began }
end

-- Raises the usage to what the instance knows. It sends that only once, so it is saved here.
if ARGV[8] then
  local previous = redis.call('HMGET', KEYS[1], 'restored_minute', 'minute_restored', 'restored_day', 'day_restored')
  local restored = {}
  for window = 1, 2 do
    local start, count = 2 * window - 1, 2 * window
    local known = still_used(window, ARGV[7 + start], ARGV[7 + count])
    restored[window] = still_used(window, previous[start], previous[count])
    if tonumber(ARGV[12]) == created_at then
      -- A replica that took over may lack the last writes.
      used[window] = math.max(used[window], known)
    elseif known > restored[window] then
      -- Redis lost its data. The largest known count is restored, below the requests since.
      used[window] = used[window] + known - restored[window]
      restored[window] = known
    end
  end
  redis.call('HSET', KEYS[1], 'restored_minute', starts[1], 'minute_restored', restored[1],
    'restored_day', starts[2], 'day_restored', restored[2])
  save_usage()
end

-- A window that was dropped must not come back when the clock does.
if saved[1] and (tonumber(saved[1]) ~= starts[1] or tonumber(saved[3]) ~= starts[2]) then save_usage() end

if mode == 'peek' then return report() end

if mode == 'settle' then
  used[1] = used[1] + still_used(1, ARGV[8], ARGV[4])
  used[2] = used[2] + still_used(2, ARGV[10], ARGV[5])
  save_usage()
  return report()
end

local limits = { tonumber(ARGV[4]), tonumber(ARGV[5]) }
local unbanned_at = ARGV[6]
local is_late = now_ms - tonumber(ARGV[7]) > LATE_MS

-- The fields of a Penalty in domain/ban.ts.
local penalty = {
  refusedUntilSeconds = 0, firstRefusedAtSeconds = 0, refusals = 0, strikes = {},
  bannedUntilSeconds = 0, bans = 0, unbannedAtMs = tonumber(unbanned_at),
}
if unbanned_at ~= '' then
  local _, last = pcall(cjson.decode, read(KEYS[2], 'penalty')[1] or '')
  if type(last) == 'table' and last.unbannedAtMs == penalty.unbannedAtMs then
    for name, none in pairs(penalty) do
      if type(last[name]) == type(none) then penalty[name] = last[name] end
    end
  end
end

if penalty.bannedUntilSeconds * 1000 > now_ms then
  return report(3, penalty.bannedUntilSeconds)
end

local is_full = { used[1] >= limits[1], used[2] >= limits[2] }
if not is_full[1] and not is_full[2] then
  used = { used[1] + 1, used[2] + 1 }
  save_usage()
  return report()
end

local window = is_full[1] and 1 or 2
if is_full[1] and is_full[2] and resets[2] >= resets[1] then window = 2 end
local reset = resets[window]

-- An instance may have decided a late request already, and its client may be waiting: the
-- refusal must not count twice against the key.
if unbanned_at == '' or is_late then return report(window) end

local ban_began = false
if penalty.refusedUntilSeconds ~= reset then
  penalty.refusedUntilSeconds, penalty.firstRefusedAtSeconds, penalty.refusals = reset, now, 1
else
  penalty.refusals = penalty.refusals + 1
  local is_learning = now - penalty.firstRefusedAtSeconds <= RULES.learningSeconds
  if not is_learning and penalty.refusals > RULES.mostInFlight then
    local strikes = {}
    for _, at in ipairs(penalty.strikes) do
      if now - at < RULES.strikeMemorySeconds then table.insert(strikes, at) end
    end
    table.insert(strikes, now)
    if #strikes >= RULES.strikesToBan then
      strikes = {}
      local is_clean = now >= penalty.bannedUntilSeconds + RULES.cleanSeconds
      penalty.bans = is_clean and 1 or penalty.bans + 1
      local seconds = RULES.firstBanSeconds * 2 ^ (penalty.bans - 1)
      penalty.bannedUntilSeconds = now + math.min(seconds, RULES.longestBanSeconds)
      ban_began = true
    end
    penalty.strikes = strikes
  end
end
redis.call('HSET', KEYS[2], 'penalty', cjson.encode(penalty))
redis.call('EXPIRE', KEYS[2], math.max(reset, penalty.bannedUntilSeconds) - now + DAY)
if ban_began then return report(3, penalty.bannedUntilSeconds, 1) end
return report(window)
