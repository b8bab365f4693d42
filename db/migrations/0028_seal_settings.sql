CREATE TABLE `sealed_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`hint` text NOT NULL,
	`version` integer NOT NULL,
	`updated_at` text NOT NULL,
	`updated_by` text NOT NULL,
	FOREIGN KEY (`updated_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
