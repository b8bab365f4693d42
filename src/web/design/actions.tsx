import { Pencil, Trash2 } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { Part } from './part.ts'

export const actions: readonly Part[] = [
  {
    file: 'button',
    about:
      'One primary button per screen: the next step. All others are secondary or ghost; red only where something is lost.',
    states: [
      ['Primary', <Button key="s">Sign Lease</Button>],
      [
        'Secondary',
        <Button key="s" variant="secondary">
          Download PDF
        </Button>,
      ],
      [
        'Ghost',
        <Button key="s" variant="ghost">
          Show all
        </Button>,
      ],
      [
        'Danger',
        <Button key="s" variant="danger">
          Remove Payment
        </Button>,
      ],
      [
        'Accent, on pictures',
        <Button key="s" variant="accent">
          Apply Now
        </Button>,
      ],
      [
        'Pointed at',
        <Button key="s" data-force="hover">
          Sign Lease
        </Button>,
      ],
      [
        'Focused',
        <Button key="s" data-force="focus">
          Sign Lease
        </Button>,
      ],
      [
        'Disabled',
        <Button key="s" disabled>
          Sign Lease
        </Button>,
      ],
      [
        'Busy',
        <Button key="s" busy busyLabel="Signing...">
          Sign Lease
        </Button>,
      ],
      [
        'Small',
        <Button key="s" size="sm" variant="secondary">
          Edit
        </Button>,
      ],
      [
        'Large',
        <Button key="s" size="lg">
          Submit Application
        </Button>,
      ],
    ],
  },
  {
    file: 'icon-button',
    about:
      'Where an icon is known to everybody and room is scarce. Its label is read out and shown as a title.',
    states: [
      [
        'Neutral',
        <IconButton key="s" label="Edit">
          <Pencil aria-hidden />
        </IconButton>,
      ],
      [
        'Pointed at',
        <IconButton key="s" label="Edit" data-force="hover">
          <Pencil aria-hidden />
        </IconButton>,
      ],
      [
        'Focused',
        <IconButton key="s" label="Edit" data-force="focus">
          <Pencil aria-hidden />
        </IconButton>,
      ],
      [
        'Danger',
        <IconButton key="s" label="Delete" tone="danger">
          <Trash2 aria-hidden />
        </IconButton>,
      ],
      [
        'Disabled',
        <IconButton key="s" label="Delete" disabled>
          <Trash2 aria-hidden />
        </IconButton>,
      ],
    ],
  },
  {
    file: 'tabs',
    about: 'Views of one subject, one at a time. They scroll sideways where they do not fit.',
    wide: true,
    states: [
      [
        'The first is open',
        <Tabs
          key="s"
          label="Settings"
          tabs={[
            { value: 'profile', label: 'Profile', content: 'Name, phone and e-mail address.' },
            { value: 'password', label: 'Password', content: 'A new password.' },
            { value: 'devices', label: 'Devices', content: 'Where you are signed in.' },
          ]}
        />,
      ],
    ],
  },
  {
    file: 'skip-link',
    about: 'The first stop of the Tab key; out of sight until it has the focus.',
    states: [
      [
        'Focused',
        <div key="s" className="relative h-12 w-56 [contain:layout]" data-force-child="focus">
          <SkipLink />
        </div>,
      ],
    ],
  },
]
