import { dialogOnDemand } from '../../../ui/on-demand.tsx'
import type { Modal } from './application-data.ts'

const load = () => import('./modal.tsx')

export const ModalOnDemand = dialogOnDemand(async () => (await load()).ModalView)

/** For the button that opens this dialog: its code is loaded when the pointer or the focus reaches the button. */
export function intentOf(kind: Modal['kind']) {
  const preload = () =>
    void load().then(
      ({ preloadModal }) => preloadModal(kind),
      () => undefined,
    )
  return { onPointerEnter: preload, onFocus: preload }
}
