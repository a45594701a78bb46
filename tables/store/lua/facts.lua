-- Read the events of a stream of facts after one of them.
-- KEYS events
-- ARGV after ('' = only the end of the stream), most events
if ARGV[1] == '' then return mended('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1) end
return mended('XRANGE', KEYS[1], '(' .. ARGV[1], '+', 'COUNT', ARGV[2])
