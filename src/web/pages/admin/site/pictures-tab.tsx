export function PicturesTab() {
  return null
}
