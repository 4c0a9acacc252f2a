// The tables of an exported file. SQLite keeps the comments, so the file documents itself: `.schema` shows them.
// What is said of the tables here is what others build on: a change of it is a new number of `exportFormat`.

export const exportFormat = 1;

export const exportSchema = `
CREATE TABLE about(
  -- One row. Throughout, times are milliseconds since 1970 in UTC, and yes and no are 1 and 0.
  format INTEGER NOT NULL,        -- of these tables
  exported_at INTEGER NOT NULL
);
CREATE TABLE session(
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT,                     -- the person's own, or the one that was made
  agent TEXT, agent_name TEXT,    -- the last one that answered in it
  model TEXT, mode TEXT,
  cwd TEXT,
  key TEXT, generation INTEGER,   -- the stable key that the session was opened by, and how many had it before
  origin TEXT,                    -- where it came from, if not from a person's first prompt
  system_prompt TEXT,
  created INTEGER, active INTEGER, expires INTEGER,
  messages INTEGER,               -- of the conversation, without those of subagents
  trashed INTEGER, archived INTEGER, pinned INTEGER,
  head TEXT,                      -- the message from which it goes on
  input_tokens INTEGER, output_tokens INTEGER,
  costs TEXT                      -- JSON: [{amount, currency}]
);
CREATE TABLE label(
  session TEXT NOT NULL REFERENCES session(id),
  label TEXT NOT NULL,
  PRIMARY KEY(session, label)
);
CREATE TABLE metadata(
  session TEXT NOT NULL REFERENCES session(id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,            -- JSON
  PRIMARY KEY(session, key)
);
CREATE TABLE field(
  -- Everything that was ever set of a session or of one of its messages, as it was set last; most of it stands in
  -- the other tables too.
  session TEXT NOT NULL REFERENCES session(id),
  name TEXT NOT NULL,
  of TEXT NOT NULL,               -- which one, where there are many: a label, a key, a message; else empty
  value TEXT NOT NULL,            -- JSON
  PRIMARY KEY(session, name, of)
);
CREATE TABLE message(
  id TEXT PRIMARY KEY NOT NULL,
  session TEXT NOT NULL REFERENCES session(id),
  parent TEXT,                    -- the message that this one answers; it may be missing from a damaged history
  role TEXT NOT NULL,             -- user, assistant or summary
  created INTEGER NOT NULL,
  agent TEXT, agent_name TEXT,    -- who wrote it; null for a person
  label TEXT,                     -- subagent:<name>:<run>, for what stands beside the conversation
  trashed INTEGER NOT NULL,       -- by itself, or below one that is
  branch_name TEXT, branch_note TEXT, -- of the branch that ends here
  ended INTEGER,                  -- null where it was interrupted
  stop_reason TEXT,               -- end_turn, max_tokens, max_turn_requests, refusal, cancelled or failed
  stop_detail TEXT,
  input_tokens INTEGER, output_tokens INTEGER, cached_tokens INTEGER, thought_tokens INTEGER,
  cost REAL, currency TEXT,
  json TEXT                       -- what else there is of it, as an object; mostly null
);
CREATE INDEX message_session ON message(session, created);
CREATE TABLE block(
  message TEXT NOT NULL REFERENCES message(id),
  at INTEGER NOT NULL,            -- its place in the message, from 0
  kind TEXT NOT NULL,             -- text, thought, toolCall, plan, image, audio, video, resource, notice or unknown
  mime TEXT NOT NULL,
  text TEXT,                      -- of a text, a thought, a notice or a resource
  json TEXT,                      -- its other fields, as an object; a \`text\` in it stands over the column, which cannot
                                  -- hold half of a character, and a \`data\` names content that is gone
  data BLOB,                      -- the bytes of an image, an audio, a video or a resource
  PRIMARY KEY(message, at)
);
`;
