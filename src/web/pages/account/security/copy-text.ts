import { toast } from '../../../ui/toast.ts'

/** Copies a text to the clipboard. If the browser does not allow it, selects the element that shows the text. */
export async function copyText(text: string, done: string, shownBy: Element | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    if (shownBy) getSelection()?.selectAllChildren(shownBy)
    toast.info('The text is selected', 'Your browser does not let this site copy it.')
  }
}
