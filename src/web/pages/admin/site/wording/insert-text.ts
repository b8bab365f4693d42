/** Inserts text at a field's cursor as if it were typed, so that the browser's undo works. */
export function insertText(field: HTMLInputElement | HTMLTextAreaElement, words: string): void {
  field.focus()
  if (document.execCommand('insertText', false, words)) return
  field.setRangeText(words, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
