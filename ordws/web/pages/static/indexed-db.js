// The values that pages keep on this device, by name: the player's books and kept games, never a word that was judged.

const NAME = "ordws";
const OBJECT_STORE = "kept";

function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(OBJECT_STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function runTransaction(mode, act) {
  const db = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(OBJECT_STORE, mode, { durability: "strict" });
      const request = act(transaction.objectStore(OBJECT_STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

/** Return the value under a name; undefined where there is none. */
export const get = (name) => runTransaction("readonly", (store) => store.get(name));

/** Keep a value under a name; once the promise resolves the value is on the disk, even if the power fails. */
export const put = (name, value) => runTransaction("readwrite", (store) => store.put(value, name));

/** Forget the value under a name. */
export const drop = (name) => runTransaction("readwrite", (store) => store.delete(name));

/** Return all values whose names begin so. */
export async function getAll(prefix) {
  return Promise.all((await names()).filter((name) => name.startsWith(prefix)).map(get));
}

/** Return the names of all values. */
export const names = () => runTransaction("readonly", (store) => store.getAllKeys());
