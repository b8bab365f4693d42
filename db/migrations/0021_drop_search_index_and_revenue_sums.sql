DROP TABLE IF EXISTS `application_fts`;--> statement-breakpoint
DROP TABLE `application_search`;--> statement-breakpoint
DROP TABLE `revenue_months`;