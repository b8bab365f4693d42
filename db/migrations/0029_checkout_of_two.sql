DROP INDEX `payments_checkout_session`;--> statement-breakpoint
ALTER TABLE `payments` ADD `checkout_lead_id` text REFERENCES payments(id);--> statement-breakpoint
CREATE INDEX `payments_checkout_lead` ON `payments` (`checkout_lead_id`) WHERE checkout_lead_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_checkout_session` ON `payments` (`checkout_session_id`,`type`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_disputes` (
	`id` text NOT NULL,
	`payment_id` text NOT NULL,
	`total_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`due_by` text,
	PRIMARY KEY(`id`, `payment_id`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_disputes`("id", "payment_id", "total_cents", "status", "created_at", "due_by") SELECT "id", "payment_id", "total_cents", "status", "created_at", "due_by" FROM `disputes`;--> statement-breakpoint
DROP TABLE `disputes`;--> statement-breakpoint
ALTER TABLE `__new_disputes` RENAME TO `disputes`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
CREATE TABLE `__new_refunds` (
	`id` text NOT NULL,
	`payment_id` text NOT NULL,
	`total_cents` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`id`, `payment_id`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_refunds`("id", "payment_id", "total_cents", "status", "created_at") SELECT "id", "payment_id", "total_cents", "status", "created_at" FROM `refunds`;--> statement-breakpoint
DROP TABLE `refunds`;--> statement-breakpoint
ALTER TABLE `__new_refunds` RENAME TO `refunds`;--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);