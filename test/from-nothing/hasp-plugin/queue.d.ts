export function sendToQueue(
  declaration: { readonly queue: string },
  input: { readonly id: string },
): Promise<{ readonly sent: string }>;
