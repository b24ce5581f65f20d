-- Sends the requests of a file, over and over. A line is a request, with tabs for its line breaks.
-- "{unique}" becomes another text in every request.

local requests = {}
local sent = 0
local run = os.time()

function init(args)
  for line in io.lines(args[1]) do requests[#requests + 1] = line:gsub("\t", "\r\n") end
end

function request()
  local text = requests[sent % #requests + 1]
  sent = sent + 1
  if text:find("{unique}", 1, true) then text = text:gsub("{unique}", run .. "-" .. sent) end
  return text
end

function done(summary)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.timeout
  local format = '\n{"requests":%d,"refused":%d,"failures":%d}\n'
  io.write(format:format(summary.requests, errors.status, failures))
end
