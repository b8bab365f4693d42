import { Tabs as RadixTabs } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type TabsProps = {
  /** The name of the tab list for screen readers. */
  label: string
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[]
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  className?: string
}

export function Tabs({
  label,
  tabs,
  value,
  defaultValue = tabs[0]?.value,
  onValueChange,
  className,
}: TabsProps) {
  return (
    <RadixTabs.Root
      {...(value === undefined ? { defaultValue } : { value })}
      onValueChange={onValueChange}
      className={className}
    >
      <RadixTabs.List
        aria-label={label}
        className="flex gap-4 overflow-x-auto border-b border-line [scrollbar-width:none] fading-row sm:gap-6"
      >
        {tabs.map(tab => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            className={classNames(
              '-mb-px min-h-11 border-b-2 border-transparent font-semibold whitespace-nowrap text-muted transition-colors',
              'hover:text-navy focus-visible:-outline-offset-2 data-[state=active]:border-lagoon-dark data-[state=active]:text-navy',
            )}
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
        {/* The fade hides the end of the row. */}
        <span className="w-8 shrink-0 sm:hidden" />
      </RadixTabs.List>
      {tabs.map(tab => (
        <RadixTabs.Content key={tab.value} value={tab.value} className="pt-5">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  )
}
