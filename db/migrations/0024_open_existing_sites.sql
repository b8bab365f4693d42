-- A site that is in use stays visible; a new one is opened by its owner.
INSERT OR IGNORE INTO settings (key, value)
SELECT 'opening', 'open'
WHERE EXISTS (SELECT 1 FROM content_versions) OR EXISTS (SELECT 1 FROM rates) OR EXISTS (SELECT 1 FROM applications);
