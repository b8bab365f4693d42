CREATE TABLE `message_files` (
	`file_id` text PRIMARY KEY NOT NULL, `application_id` text NOT NULL, `uploaded_by` text NOT NULL,
	`number` integer, `position` integer DEFAULT 0 NOT NULL, `created_at` text NOT NULL,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`uploaded_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `message_files_message` ON `message_files` (`application_id`,`number`);--> statement-breakpoint
CREATE TABLE `message_threads` (
	`application_id` text PRIMARY KEY NOT NULL, `tenant_read` integer DEFAULT 0 NOT NULL,
	`owner_read` integer DEFAULT 0 NOT NULL, `tenant_mailed` integer DEFAULT 0 NOT NULL,
	`owner_mailed` integer DEFAULT 0 NOT NULL, `answered` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `messages` (
	`application_id` text NOT NULL, `number` integer NOT NULL, `side` text NOT NULL, `via` text NOT NULL,
	`author_id` text NOT NULL, `link_id` text, `request_id` text NOT NULL, `created_at` text NOT NULL,
	`said_at` text, `id` text NOT NULL, `body` text NOT NULL, PRIMARY KEY(`application_id`, `number`),
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_request` ON `messages` (`application_id`,`request_id`);--> statement-breakpoint
CREATE INDEX `messages_link` ON `messages` (`link_id`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`application_id` text PRIMARY KEY NOT NULL, `rating` integer NOT NULL, `title` text NOT NULL,
	`text` text NOT NULL, `name` text NOT NULL, `state` text NOT NULL, `version` integer NOT NULL,
	`created_at` text NOT NULL, `edited_at` text, `published_at` text, `hidden_reason` text, `hidden_at` text,
	`reply` text, `reply_at` text,
	FOREIGN KEY (`application_id`) REFERENCES `applications`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `reviews_state` ON `reviews` (`state`,`created_at`);