ALTER TABLE `outbox` ADD `application_id` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `subject` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `words` text;--> statement-breakpoint
CREATE INDEX `outbox_application` ON `outbox` (`application_id`);--> statement-breakpoint
UPDATE `outbox` SET `application_id` = json_extract(`props`, '$.applicationId') WHERE json_type(`props`, '$.applicationId') = 'text';
