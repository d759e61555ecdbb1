/* Plays AMD SMI (libamd_smi.so) to its Python module on a machine without a GPU.
 *
 * A test writes `played`: a number for each quantity of each of two GPUs, or a negative one, which is
 * AMD SMI's status instead (-2: not supported). All functions that aren't here are in a file that
 * the test makes, weak and not supported.
 *
 * Names, structures and numbers: the structures of the Python module, amdsmi_wrapper.py of ROCm 7.0.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WATTS, MICROWATTS_AT_MOST, ENERGY_COUNT, ACTIVITY, MEGAHERTZ, CELSIUS, BYTES, BYTES_IN_USE, PID,
       BYTES_OF_PROCESS, BOARD, DRIVER, NUMBER, QUANTITIES };
double played[2][QUANTITIES];
#define GPU(quantity) ((double *)gpu)[quantity]

typedef struct { uint64_t socket; uint32_t current, average; uint64_t volts[3]; uint32_t limit, padding; uint64_t reserved[18]; } Power;
typedef struct { uint64_t cap, others[4], reserved[3]; } Cap;
typedef struct {
    char market_name[256]; uint32_t vendor_id; char vendor_name[256]; uint32_t subvendor_id; uint64_t device_id;
    uint32_t revision; char serial[256]; uint32_t oam_id, units, padding; uint64_t target; uint32_t subsystem, reserved[21];
} __attribute__((packed)) Board;
typedef struct { uint32_t render, card, hsa_id, hip_id; char hip_uuid[256]; } Enumeration;
typedef struct { char version[256], date[256], name[256]; } Driver;
typedef struct { uint32_t gfx, umc, mm, reserved[13]; } Activity;
typedef struct { uint32_t now, least, most; uint8_t locked, deep, padding[2]; uint32_t reserved[4]; } Clock;
typedef struct {
    char name[256]; uint32_t pid, padding; uint64_t bytes, gfx, enc; uint32_t engines[12]; uint64_t gtt, cpu, vram;
    uint32_t memory[10]; char container[256]; uint32_t occupancy, reserved[11];
} Process;

static int status_of(double quantity) { return quantity < 0 ? (int)-quantity : 0; }

int amdsmi_init(uint64_t flags) { (void)flags; return 0; }

int amdsmi_get_socket_handles(uint32_t *count, void **sockets) {
    *count = 1;
    if (sockets) sockets[0] = played;
    return 0;
}

int amdsmi_get_processor_handles(void *socket, uint32_t *count, void **processors) {
    (void)socket;
    *count = 2;
    for (int i = 0; processors && i < 2; i++) processors[i] = played[i];
    return 0;
}

int amdsmi_get_gpu_asic_info(void *gpu, Board *board) {
    memset(board, 0, sizeof *board);
    strcpy(board->market_name, "AMD Instinct MI300X");
    strcpy(board->serial, "1F3A00000000BEEF");
    board->target = 0x942;
    return status_of(GPU(BOARD));
}

int amdsmi_get_gpu_enumeration_info(void *gpu, Enumeration *enumeration) {
    *enumeration = (Enumeration){.hip_id = GPU(NUMBER)};
    sprintf(enumeration->hip_uuid, "GPU-%.0ff3a", GPU(NUMBER));
    return status_of(GPU(NUMBER));
}

int amdsmi_get_gpu_driver_info(void *gpu, Driver *driver) {
    memset(driver, 0, sizeof *driver);
    strcpy(driver->version, "6.14.14");
    return status_of(GPU(DRIVER));
}

int amdsmi_get_power_info(void *gpu, Power *power) {
    *power = (Power){.current = 0xFFFF, .average = GPU(WATTS)};
    return status_of(GPU(WATTS));
}

int amdsmi_get_power_cap_info(void *gpu, uint32_t sensor, Cap *cap) {
    (void)sensor;
    *cap = (Cap){.cap = GPU(MICROWATTS_AT_MOST)};
    return status_of(GPU(MICROWATTS_AT_MOST));
}

int amdsmi_get_energy_count(void *gpu, uint64_t *count, float *microjoules, uint64_t *time) {
    (void)time;
    *count = GPU(ENERGY_COUNT);
    *microjoules = 15.25f;
    return status_of(GPU(ENERGY_COUNT));
}

int amdsmi_get_gpu_activity(void *gpu, Activity *activity) {
    *activity = (Activity){.gfx = GPU(ACTIVITY)};
    return status_of(GPU(ACTIVITY));
}

int amdsmi_get_clock_info(void *gpu, uint32_t kind, Clock *clock) {
    *clock = (Clock){.now = kind ? 0 : GPU(MEGAHERTZ)};
    return status_of(GPU(MEGAHERTZ));
}

int amdsmi_get_temp_metric(void *gpu, uint32_t sensor, uint32_t metric, int64_t *degrees) {
    *degrees = sensor == 1 && !metric ? GPU(CELSIUS) : 0;
    return status_of(GPU(CELSIUS));
}

int amdsmi_get_gpu_memory_total(void *gpu, uint32_t kind, uint64_t *bytes) {
    *bytes = kind ? 0 : GPU(BYTES);
    return status_of(GPU(BYTES));
}

int amdsmi_get_gpu_memory_usage(void *gpu, uint32_t kind, uint64_t *bytes) {
    *bytes = kind ? 0 : GPU(BYTES_IN_USE);
    return status_of(GPU(BYTES_IN_USE));
}

int amdsmi_get_gpu_process_list(void *gpu, uint32_t *count, Process *processes) {
    *count = 1;
    processes[0] = (Process){.pid = GPU(PID), .vram = GPU(BYTES_OF_PROCESS)};
    return status_of(GPU(PID));
}
