ALTER TABLE `charges` ADD `instalment_id` text REFERENCES instalments(id);--> statement-breakpoint
-- The request id of a waiver was `waive:` with the installment's id, and `:2` when it was waived again.
UPDATE `charges` SET `instalment_id` = substr(`request_id`, 7, 36), `request_id` = NULL
WHERE `request_id` LIKE 'waive:%';--> statement-breakpoint
CREATE INDEX `payments_returned` ON `payments` (`paid_at`) WHERE status = 'returned';