import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { MobileMenu } from '../ui/mobile-menu.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Part } from './part.ts'

const nothing = () => undefined

export const overlays: readonly Part[] = [
  {
    file: 'dialog',
    about:
      'One task over the page. It keeps the focus, gives it back, and never closes while something is sent.',
    states: [['Open', <Opener key="s" name="dialog" draw={close => <SampleDialog close={close} />} />]],
  },
  {
    file: 'confirm-dialog',
    about:
      'Asks before something that cannot be undone, names what is lost, and puts the initial focus on Cancel.',
    states: [
      [
        'Open',
        <Opener
          key="s"
          name="confirm-dialog"
          draw={close => (
            <ConfirmDialog
              open
              danger
              title="Remove this payment?"
              body="$450.00 of Nov 3, 2026 will no longer count as paid."
              confirmLabel="Remove Payment"
              onConfirm={close}
              onCancel={close}
            />
          )}
        />,
      ],
    ],
  },
  {
    file: 'menu',
    about: 'What is seldom needed, behind one button.',
    states: [
      [
        'Open',
        <Menu
          key="s"
          align="start"
          trigger={
            <Button variant="secondary" data-opens="menu">
              More
            </Button>
          }
        >
          <MenuItem onSelect={nothing}>Record a payment</MenuItem>
          <MenuItem disabled onSelect={nothing}>
            Transfer
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={nothing}>
            Delete
          </MenuItem>
        </Menu>,
      ],
    ],
  },
  {
    file: 'mobile-menu',
    about: 'The navigation of a phone.',
    states: [
      [
        'Open',
        <div key="s" data-opens="mobile-menu" className="h-48 w-72 [contain:layout]">
          <MobileMenu className="relative flex justify-end border-b border-line bg-white p-2">
            <a href="#mobile-menu" className="px-3 py-2">
              Dashboard
            </a>
            <a href="#mobile-menu" className="px-3 py-2">
              Contact
            </a>
          </MobileMenu>
        </div>,
      ],
    ],
  },
]

function Opener({ name, draw }: { name: string; draw: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" data-opens={name} onClick={() => setOpen(true)}>
        Open
      </Button>
      {open && draw(() => setOpen(false))}
    </>
  )
}

function SampleDialog({ close }: { close: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Invite the tenant"
      description="They get a mail with a link to set a password."
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button onClick={close}>Send Invitation</Button>
        </>
      }
    >
      <TextField label="E-mail" defaultValue="ruth@guest.example" />
    </Dialog>
  )
}
