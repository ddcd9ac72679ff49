import { Component, type ReactNode } from 'react';
import { isImportError } from './lib/import-error.ts';

interface ErrorBoundaryProps {
  /** Rendered after an error. `onRetry` renders the children again. */
  fallback: (onRetry: () => void) => ReactNode;
  children: ReactNode;
}

/** Error boundary for one part of a page. React logs the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => {
    // Browsers cache failed imports until the page is reloaded.
    if (isImportError(this.state.error)) window.location.reload();
    else this.setState({ error: null });
  };

  override render() {
    return this.state.error === null ? this.props.children : this.props.fallback(this.retry);
  }
}
