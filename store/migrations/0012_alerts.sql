-- What is wrong with jobs, who was told of it, and what is still to be told.
-- Jobs stand by their names: one that could not start is in no other table.

-- When each job came to be watched with its schedule: a job that has never
-- succeeded is silent from then on. schedule is '' while it is paused.
CREATE TABLE magpie_alert_jobs (
  job TEXT PRIMARY KEY,
  schedule TEXT NOT NULL,
  since INTEGER NOT NULL,
  succeeded INTEGER NOT NULL,     -- when it last did; 0: not since then
  due INTEGER NOT NULL,           -- of the last run that was judged, magpie_due.id; 0: unknown
  failed INTEGER NOT NULL         -- whether it failed
) STRICT, WITHOUT ROWID;

-- Open problems.
CREATE TABLE magpie_alerts (
  job TEXT NOT NULL,
  kind TEXT NOT NULL,             -- failure, silence, drift
  since INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  count INTEGER NOT NULL,         -- runs, or intervals
  run INTEGER NOT NULL,           -- number of the last of them; 0: none began
  detail TEXT NOT NULL,
  topics TEXT NOT NULL,           -- JSON: what was worse than usual so far
  told TEXT NOT NULL,             -- JSON: channel → when it was last told, in ms
  PRIMARY KEY (job, kind)
) STRICT, WITHOUT ROWID;

-- Messages, each of one or more events.
CREATE TABLE magpie_alert_messages (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  name TEXT NOT NULL,             -- of the channel, for people
  state TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'dropped')),
  sealed INTEGER NOT NULL DEFAULT 0, -- when it was first sent: no event is added to it from then on; 0: not yet
  created_at INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER NOT NULL DEFAULT 0, -- when it was sent or dropped
  error TEXT
) STRICT;
CREATE INDEX magpie_alert_messages_due ON magpie_alert_messages (not_before) WHERE state = 'due';
CREATE INDEX magpie_alert_messages_ended ON magpie_alert_messages (ended_at) WHERE state != 'due';

CREATE TABLE magpie_alert_events (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL REFERENCES magpie_alert_messages (id) ON DELETE CASCADE,
  job TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL              -- JSON
) STRICT;
CREATE INDEX magpie_alert_events_message ON magpie_alert_events (message_id);
