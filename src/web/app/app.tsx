import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Toasts } from '../ui/toasts.tsx'
import { api, createApiClient, createQueryClient } from './api.ts'
import { Routes } from './routes.tsx'
import { createExpirySignal, SessionProvider } from './session.tsx'
import { Shell } from './shell.tsx'

export function App() {
  return (
    <Providers>
      <Shell>
        <Routes />
      </Shell>
      <Toasts />
    </Providers>
  )
}

function Providers({ children, queryClient }: { children: ReactNode; queryClient?: QueryClient }) {
  const [expiry] = useState(createExpirySignal)
  const [queries] = useState(() => queryClient ?? createQueryClient(expiry.raise))
  const [client] = useState(createApiClient)
  return (
    <api.Provider client={client} queryClient={queries}>
      <QueryClientProvider client={queries}>
        <SessionProvider onExpired={expiry}>{children}</SessionProvider>
      </QueryClientProvider>
    </api.Provider>
  )
}
