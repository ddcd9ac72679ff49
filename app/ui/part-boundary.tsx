import { Component, type ReactNode } from 'react';
import { isImportError } from './lib/import-error.ts';

interface PartBoundaryProps {
  /** Drawn instead of the children after one of them has thrown. `onRetry` draws the children again. */
  fallback: (onRetry: () => void) => ReactNode;
  children: ReactNode;
}

/** Error boundary around one part of a page, so that an error in it does not replace the whole page. React logs the error. */
export class PartBoundary extends Component<PartBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  retry = () => {
    // Browsers remember a module that could not be imported until the page is loaded again.
    if (isImportError(this.state.error)) window.location.reload();
    else this.setState({ error: null });
  };

  override render() {
    return this.state.error === null ? this.props.children : this.props.fallback(this.retry);
  }
}
