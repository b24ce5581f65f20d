-- Decides one request, on Redis's own clock, both windows and bans at once. The same arithmetic as
-- domain/rate-limit.ts and domain/ban.ts: one suite of tests holds them together.
--
-- KEYS: the subject's usage, the key's penalty (the same name twice when there is no key).
-- ARGV: mode (take or peek), limit per minute, limit per day, offset of the minute in seconds,
--       unbannedAtMs of the key or '' without one, the time in ms or '' for Redis's own.
-- RULES:  the numbers of domain/ban.ts, put in front by the program.
-- Returns: refused by (0 nobody, 1 minute, 2 day, 3 ban), window (1 minute, 2 day), limit,
--          remaining, reset, retry after, whether a ban began.

local MINUTE, DAY = 60, 86400

local mode = ARGV[1]
local limits = { tonumber(ARGV[2]), tonumber(ARGV[3]) }
local offset = tonumber(ARGV[4])
local unbanned_at = ARGV[5]

local now_ms = tonumber(ARGV[6])
if now_ms == nil then
  local time = redis.call('TIME')
  now_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local now = math.floor(now_ms / 1000)

local function window_start(previous, length, shift)
  local start = math.floor((now - shift) / length) * length + shift
  if previous and previous > start and previous - start <= length then return previous end
  return start
end

local function seconds_until(at)
  return math.max(1, math.ceil(at - now_ms / 1000))
end

-- Usage in the windows that hold this moment.
local saved = redis.call('HMGET', KEYS[1], 'minute_start', 'minute_used', 'day_start', 'day_used')
local starts = {
  window_start(tonumber(saved[1]), MINUTE, offset),
  window_start(tonumber(saved[3]), DAY, 0),
}
local used = {
  tonumber(saved[1]) == starts[1] and tonumber(saved[2]) or 0,
  tonumber(saved[3]) == starts[2] and tonumber(saved[4]) or 0,
}
local resets = { starts[1] + MINUTE, starts[2] + DAY }

local function remaining(window)
  return math.max(0, limits[window] - used[window])
end

-- The window that the headers tell of.
local function told()
  if remaining(1) == 0 and remaining(2) == 0 then return resets[1] > resets[2] and 1 or 2 end
  return remaining(1) < remaining(2) and 1 or 2
end

local function answer(refused_by, window, left, reset, retry_after, ban_began)
  return { refused_by, window, limits[window], left, reset, retry_after, ban_began }
end

local window = told()
if mode == 'peek' then return answer(0, window, remaining(window), resets[window], 0, 0) end

local penalty = { refused_until = 0, first_refused = 0, refusals = 0, strikes = '', banned_until = 0, bans = 0 }
if unbanned_at ~= '' then
  local p = redis.call('HMGET', KEYS[2], 'unbanned_at', 'refused_until', 'first_refused', 'refusals',
    'strikes', 'banned_until', 'bans')
  if p[1] == unbanned_at then
    penalty = {
      refused_until = tonumber(p[2]), first_refused = tonumber(p[3]), refusals = tonumber(p[4]),
      strikes = p[5], banned_until = tonumber(p[6]), bans = tonumber(p[7]),
    }
  end
end

local function refused_by_ban(ban_began)
  local left = seconds_until(penalty.banned_until)
  return answer(3, window, 0, penalty.banned_until, left, ban_began)
end

if penalty.banned_until * 1000 > now_ms then return refused_by_ban(0) end

if remaining(window) > 0 then
  used = { used[1] + 1, used[2] + 1 }
  redis.call('HSET', KEYS[1], 'minute_start', starts[1], 'minute_used', used[1],
    'day_start', starts[2], 'day_used', used[2])
  redis.call('EXPIRE', KEYS[1], resets[2] - now + MINUTE)
  window = told()
  return answer(0, window, remaining(window), resets[window], 0, 0)
end

local reset = resets[window]
if unbanned_at == '' then return answer(window, window, 0, reset, seconds_until(reset), 0) end

local ban_began = false
if penalty.refused_until ~= reset then
  penalty.refused_until, penalty.first_refused, penalty.refusals = reset, now, 1
else
  penalty.refusals = penalty.refusals + 1
  if now - penalty.first_refused > RULES.learningSeconds and penalty.refusals > RULES.mostInFlight then
    local strikes = {}
    for at in string.gmatch(penalty.strikes, '%d+') do
      if now - tonumber(at) < RULES.strikeMemorySeconds then table.insert(strikes, at) end
    end
    table.insert(strikes, string.format('%d', now))
    if #strikes >= RULES.strikesToBan then
      strikes = {}
      penalty.bans = now >= penalty.banned_until + RULES.cleanSeconds and 1 or penalty.bans + 1
      penalty.banned_until = now + math.min(RULES.firstBanSeconds * 2 ^ (penalty.bans - 1), RULES.longestBanSeconds)
      ban_began = true
    end
    penalty.strikes = table.concat(strikes, ',')
  end
end
redis.call('HSET', KEYS[2], 'unbanned_at', unbanned_at, 'refused_until', penalty.refused_until,
  'first_refused', penalty.first_refused, 'refusals', penalty.refusals, 'strikes', penalty.strikes,
  'banned_until', penalty.banned_until, 'bans', penalty.bans)
redis.call('EXPIRE', KEYS[2], math.max(reset, penalty.banned_until) - now + DAY)
if ban_began then return refused_by_ban(1) end
return answer(window, window, 0, reset, seconds_until(reset), 0)
