import { dialogOnDemand } from '../../../ui/on-demand.tsx'
import type { Modal } from './application-data.ts'

const load = () => import('./modal.tsx')

export const ModalOnDemand = dialogOnDemand(async () => (await load()).ModalView)

/** Props for a button that opens this dialog: they preload its code on hover, focus or touch. */
export function modalPreloadProps(kind: Modal['kind']) {
  const preload = () =>
    void load().then(
      ({ preloadModal }) => preloadModal(kind),
      () => undefined,
    )
  return { onPointerEnter: preload, onFocus: preload }
}
