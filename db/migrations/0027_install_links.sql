PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_access_links` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`person_id` text,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`last_used_at` text,
	FOREIGN KEY (`person_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_access_links`("id", "kind", "subject_id", "person_id", "created_at", "expires_at", "revoked_at", "last_used_at") SELECT "id", "kind", "subject_id", "person_id", "created_at", "expires_at", "revoked_at", "last_used_at" FROM `access_links`;--> statement-breakpoint
DROP TABLE `access_links`;--> statement-breakpoint
ALTER TABLE `__new_access_links` RENAME TO `access_links`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `access_links_subject` ON `access_links` (`kind`,`subject_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `access_links_person` ON `access_links` (`person_id`);