-- What the first version of @hasp/runtime left in a database: its tables, and a turn that waits for an answer.
create table hasp_layout (layout integer not null);
insert into hasp_layout values (1);
create table hasp_turns (turn_id text primary key, record text not null);
create table hasp_calls (
  turn_id text not null references hasp_turns on delete cascade,
  call_id text not null,
  position integer not null,
  state text not null,
  version integer not null,
  record text not null,
  question_id text,
  primary key (turn_id, call_id)
);
create index hasp_calls_question on hasp_calls (question_id) where question_id is not null;
create index hasp_calls_open on hasp_calls (state) where state = 'asked';
create table hasp_audit (
  number bigint generated always as identity primary key,
  turn_id text not null,
  at text not null,
  record text not null
);
create index hasp_audit_turn on hasp_audit (turn_id, number);
create index hasp_audit_at on hasp_audit (at);
insert into hasp_turns (turn_id, record) values
  ('waits', '{"turnId":"waits","callsDigest":"b39719db00f85f4d44398882391d8daef373308b78a9e876fc62251528e54e1a","openedAt":"2026-01-01T00:00:00.000Z"}');
insert into hasp_calls (turn_id, call_id, position, state, version, record, question_id) values
  ('waits', '1', 0, 'asked', 1, '{"turnId":"waits","callId":"1","toolName":"pay","state":"asked","version":1,"received":{"id":"1","name":"pay"},"input":{},"inputDigest":"c57356a9441108fb0c22419fd89979d72b6152e98e590a3530fd307b1483ede2","toolDigest":"86f6098bcef591fc141cc69768d09e56efc6b8f32460e3bca4ed1db02ee6bbd6","question":{"id":"de049d3d6a19f18b4a2ef4f61e3816786717c7f841ffb80ab243c9a934256cde","turnId":"waits","callId":"1","toolName":"pay","input":{},"inputDigest":"c57356a9441108fb0c22419fd89979d72b6152e98e590a3530fd307b1483ede2","toolDigest":"86f6098bcef591fc141cc69768d09e56efc6b8f32460e3bca4ed1db02ee6bbd6","class":"UNSAFE","isDestructive":true,"askedAt":"2026-01-01T00:00:00.000Z","expiresAt":"9999-01-01T00:00:00.000Z"}}', 'de049d3d6a19f18b4a2ef4f61e3816786717c7f841ffb80ab243c9a934256cde');
insert into hasp_audit (turn_id, at, record) values
  ('waits', '2026-01-01T00:00:00.000Z', '{"turnId":"waits","callId":"1","toolName":"pay","to":"proposed","at":"2026-01-01T00:00:00.000Z"}');
insert into hasp_audit (turn_id, at, record) values
  ('waits', '2026-01-01T00:00:00.000Z', '{"turnId":"waits","callId":"1","toolName":"pay","from":"proposed","to":"asked","at":"2026-01-01T00:00:00.000Z","inputDigest":"c57356a9441108fb0c22419fd89979d72b6152e98e590a3530fd307b1483ede2","toolDigest":"86f6098bcef591fc141cc69768d09e56efc6b8f32460e3bca4ed1db02ee6bbd6","questionId":"de049d3d6a19f18b4a2ef4f61e3816786717c7f841ffb80ab243c9a934256cde"}');
