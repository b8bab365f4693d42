DROP INDEX `payments_unexpected`;--> statement-breakpoint
ALTER TABLE `payments` ADD `dismissed_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_marked` ON `payments` (`paid_at`) WHERE cancel_requested_at is not null;--> statement-breakpoint
-- What was dismissed before stays dismissed, unless money that arrived since is told: then all of it is told once more.
UPDATE `payments` SET `dismissed_cents` = `amount_cents` - `refunded_amount_cents`
WHERE `unexpected_dismissed_at` IS NOT NULL AND `cancel_requested_at` IS NOT NULL AND NOT EXISTS (
	SELECT 1 FROM `payments` p
	WHERE coalesce(p.`application_id`, p.`former_application_id`) = coalesce(`payments`.`application_id`, `payments`.`former_application_id`)
		AND p.`unexpected_dismissed_at` IS NULL AND p.`status` = 'succeeded' AND p.`voided_at` IS NULL
		AND p.`amount_cents` > p.`refunded_amount_cents`
		AND (p.`paid_at` >= p.`cancel_requested_at` OR p.`created_at` >= p.`cancel_requested_at`)
);
