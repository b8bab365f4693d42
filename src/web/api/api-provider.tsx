import { useQueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { api } from './api.ts'
import { calls } from './client.ts'

/** Lets the components below it use `api`. */
function ApiProvider({ children }: { children: ReactNode }) {
  return (
    <api.Provider client={calls} queryClient={useQueryClient()}>
      {children}
    </api.Provider>
  )
}

/** A screen or a part of one that uses `api`. */
export function withApi<Props extends object>(Part: ComponentType<Props>): ComponentType<Props> {
  return function WithApi(props: Props) {
    return (
      <ApiProvider>
        <Part {...props} />
      </ApiProvider>
    )
  }
}
