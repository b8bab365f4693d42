CREATE TABLE `content_sections` (
	`section` text PRIMARY KEY NOT NULL,
	`schema` integer NOT NULL,
	`body` text,
	`version` integer NOT NULL,
	`updated_at` text NOT NULL,
	`updated_by` text NOT NULL,
	FOREIGN KEY (`updated_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `content_versions` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`actor_id` text NOT NULL,
	`note` text NOT NULL,
	`source` text NOT NULL,
	`schema` integer NOT NULL,
	`body` text NOT NULL,
	`sha256` text NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `picture_copies` (
	`picture_id` text NOT NULL,
	`recipe` text NOT NULL,
	`hash` text NOT NULL,
	`cuts` text,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`fault` text,
	`made_at` text,
	`unused_since` text,
	PRIMARY KEY(`picture_id`, `recipe`),
	FOREIGN KEY (`picture_id`) REFERENCES `pictures`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `picture_copies_hash` ON `picture_copies` (`hash`);--> statement-breakpoint
CREATE TABLE `pictures` (
	`id` text PRIMARY KEY NOT NULL,
	`file_id` text,
	`name` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`sha256` text NOT NULL,
	`state` text NOT NULL,
	`fault` text,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`removed_at` text,
	FOREIGN KEY (`file_id`) REFERENCES `files`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pictures_sha256` ON `pictures` (`sha256`) WHERE "pictures"."removed_at" is null;--> statement-breakpoint
CREATE TABLE `wordings` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`version` integer NOT NULL,
	`body` text,
	`sha256` text NOT NULL,
	`note` text NOT NULL,
	`at` text NOT NULL,
	`actor_id` text NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wordings_version` ON `wordings` (`kind`,`version`);--> statement-breakpoint
ALTER TABLE `leases` ADD `wording_version` integer DEFAULT 0 NOT NULL;