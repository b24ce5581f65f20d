-- The reason is for operators. It is empty unless the account is suspended.
ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
ALTER TABLE accounts ADD COLUMN suspension_reason TEXT NOT NULL DEFAULT '';
