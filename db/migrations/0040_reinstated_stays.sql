ALTER TABLE `cancellations` ADD `reinstated_at` text;--> statement-breakpoint
-- Stays that were reinstated before: the moment is in the audit log.
UPDATE `cancellations` SET `reinstated_at` = (
	SELECT min(e.`at`) FROM `events` e WHERE e.`kind` = 'cancellation.reinstated'
		AND e.`subject_id` = `cancellations`.`application_id` AND e.`at` >= `cancellations`.`decided_at`
) WHERE `state` = 'reinstated';