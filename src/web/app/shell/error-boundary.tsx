import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode; fallback: ReactNode; resetKey?: string }

/** Catches rendering errors, so that the rest of the app keeps working; a new `resetKey` resets it. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate(previous: Props) {
    if (this.state.failed && previous.resetKey !== this.props.resetKey) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
