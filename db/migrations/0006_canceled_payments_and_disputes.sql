ALTER TABLE `disputes` ADD `due_by` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `lost_amount_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `checkout_attempt` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `cancel_requested_at` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `unexpected_dismissed_at` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `former_application_id` text;--> statement-breakpoint
CREATE INDEX `payments_voided` ON `payments` (`application_id`,`user_id`) WHERE voided_at is not null;--> statement-breakpoint
CREATE INDEX `payments_retried` ON `payments` (`checkout_expires_at`) WHERE checkout_attempt > 0;--> statement-breakpoint
CREATE INDEX `payments_unexpected` ON `payments` (`paid_at`) WHERE cancel_requested_at is not null and unexpected_dismissed_at is null;