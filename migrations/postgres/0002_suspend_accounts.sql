-- The reason is for operators. It is empty unless the account is suspended.
ALTER TABLE accounts
  ADD COLUMN suspended_at      timestamptz,
  ADD COLUMN suspension_reason text NOT NULL DEFAULT '';
