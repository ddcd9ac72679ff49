import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { messageOf } from './show-error.ts';

/** Error message with a retry button in place of data. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        title="This could not be loaded"
        description={messageOf(error)}
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    </div>
  );
}
