import { type ComponentType, lazy } from 'react'
import { Route, Switch } from 'wouter'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { loadScreens } from './load-screens.ts'
import { publicPages } from './public-pages.ts'

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

const pages = {
  home: page(publicPages['/']),
  contact: page(publicPages['/contact']),
  privacy: page(publicPages['/privacy']),
  terms: page(publicPages['/terms']),
}
/** Visitors of a public page do not load the code of the other screens. */
const Screens = page(async () => (await loadScreens()).Screens)

export function Routes() {
  return (
    <HydrationBoundary>
      <Switch>
        <Route path="/" component={pages.home} />
        <Route path="/contact" component={pages.contact} />
        <Route path="/privacy" component={pages.privacy} />
        <Route path="/terms" component={pages.terms} />
        <Route component={Screens} />
      </Switch>
    </HydrationBoundary>
  )
}
