import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/_gate/_site/')({ component: Home });

function Home() {
  return <p>Home</p>;
}
