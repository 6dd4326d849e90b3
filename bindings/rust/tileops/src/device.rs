//! Devices.

use crate::error::{check, text};
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;
use tileops_sys as sys;

/// Where memory is and a plan runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device(pub(crate) sys::DLDevice);

impl Device {
    /// Host memory.
    pub const CPU: Device =
        Device(sys::DLDevice { device_type: sys::DLDeviceType::kDLCPU, device_id: 0 });

    /// The CUDA device of that index.
    pub const fn cuda(index: i32) -> Device {
        Device(sys::DLDevice { device_type: sys::DLDeviceType::kDLCUDA, device_id: index })
    }

    /// Whether it is [`Device::CPU`].
    #[inline]
    pub fn is_cpu(self) -> bool {
        self.0.device_type == sys::DLDeviceType::kDLCPU
    }

    /// Index among the devices of its kind.
    pub fn index(self) -> i32 {
        self.0.device_id
    }

    /// The DLPack device.
    pub fn to_dlpack(self) -> sys::DLDevice {
        self.0
    }
}

impl From<sys::DLDevice> for Device {
    /// Any device of DLPack; the library refuses those it cannot use.
    fn from(device: sys::DLDevice) -> Self {
        Device(device)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.device_type {
            sys::DLDeviceType::kDLCPU => f.write_str("cpu"),
            sys::DLDeviceType::kDLCUDA => write!(f, "cuda:{}", self.0.device_id),
            other => write!(f, "device type {}:{}", other.0, self.0.device_id),
        }
    }
}

impl FromStr for Device {
    type Err = Error;

    /// Reads `cpu`, `cuda` or `cuda:1`.
    fn from_str(name: &str) -> Result<Self> {
        let index = |text: &str| text.parse::<u16>().ok().map(|i| Device::cuda(i.into()));
        match name {
            "cpu" => Some(Device::CPU),
            "cuda" => Some(Device::cuda(0)),
            _ => name.strip_prefix("cuda:").and_then(index),
        }
        .ok_or_else(|| {
            Error::invalid(format!("Device: name: unknown (got {name:?}, need cpu or cuda:N)"))
        })
    }
}

/// What the library knows of a device.
#[non_exhaustive]
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// The device.
    pub device: Device,
    /// Product name.
    pub name: String,
    /// `avx512`, `sm_90`...
    pub arch: String,
    /// Memory in bytes.
    pub memory_bytes: u64,
    /// CPU threads or GPU multiprocessors.
    pub units: u32,
}

/// Devices that plans can be made for: the CPU, then the CUDA devices.
pub fn devices() -> Result<Vec<DeviceInfo>> {
    crate::version::ensure()?;
    // SAFETY: takes no argument.
    let count = unsafe { sys::tileops_device_count() };
    (0..count).map(describe).collect()
}

fn describe(i: usize) -> Result<DeviceInfo> {
    let mut info = sys::tileops_device_info {
        struct_size: size_of::<sys::tileops_device_info>() as u32,
        reserved: 0,
        device: Device::CPU.0,
        name: [0; 128],
        arch: [0; 32],
        memory_bytes: 0,
        units: 0,
        reserved2: 0,
    };
    // SAFETY: the struct is the caller's, and says its size.
    check(unsafe { sys::tileops_device_describe(i, &mut info) })?;
    Ok(DeviceInfo {
        device: Device(info.device),
        // SAFETY: NUL-terminated arrays of `info`.
        name: unsafe { text(info.name.as_ptr()) }.into(),
        // SAFETY: as above.
        arch: unsafe { text(info.arch.as_ptr()) }.into(),
        memory_bytes: info.memory_bytes,
        units: info.units.max(0) as u32,
    })
}
