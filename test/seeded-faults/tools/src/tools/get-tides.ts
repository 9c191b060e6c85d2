/** None of its errors is marked as retryable. */
export async function execute(): Promise<string> {
  const response = await fetch("https://tides.example/today");
  if (!response.ok) throw new Error("The service does not answer.");
  return response.text();
}
