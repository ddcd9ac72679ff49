import { useState } from 'react';
import type { Client } from '../data/clients/clients.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ClientRooms } from './client-rooms.tsx';

/** A button that shows those who work for a client what its people see. */
export function SeeAsClient({ client }: { client: Client }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" size="sm" aria-label={`See what ${client.name} sees`} onClick={() => setOpen(true)}>
        See as client
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title={`${client.name}, as its people see it`}
        description="Nothing can be changed here. Where you read an address of somebody without a name, they read nothing."
      >
        <div className="grid grid-cols-1 gap-4 pt-1">
          <ClientRooms client={client} isReadOnly />
        </div>
      </Dialog>
    </>
  );
}
