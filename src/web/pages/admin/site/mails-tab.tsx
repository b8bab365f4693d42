export function MailsTab() {
  return null
}
