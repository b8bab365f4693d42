import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'
import { MenuItem } from '../../../ui/menu.tsx'
import type { Modal, OpenModal } from './application-data.ts'

type Opening = { modal: Modal; open: OpenModal }

/** Opens a dialog. */
export function ModalButton({ modal, open, ...props }: Opening & ComponentProps<typeof Button>) {
  return <Button size="sm" variant="secondary" onClick={() => open(modal)} {...props} />
}

type ModalItemProps = Opening & Omit<ComponentProps<typeof MenuItem>, 'onSelect'>

/** The same as a menu item. */
export function ModalItem({ modal, open, ...props }: ModalItemProps) {
  return <MenuItem onSelect={() => open(modal)} {...props} />
}
