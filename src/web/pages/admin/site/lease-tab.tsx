export function LeaseTab() {
  return null
}
